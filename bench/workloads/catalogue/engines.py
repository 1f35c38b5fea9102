"""Engines: a database, a solver, a server, and a compressor that hardly allocates."""

from pathlib import Path

from workloads.model import MADE, OURS, Case, Workload, case, made

PYTHON = "/usr/bin/python3"
PORT = 18830
PID_FILE = MADE / "mosquitto" / "pid"
UNICODE = Path("/usr/share/unicode")

bubble_sort = made("z3/sort.smt2", PYTHON, OURS / "sort_proof.py", "8")
job_shop = made("z3/job_shop.smt2", PYTHON, OURS / "job_shop.py", "655", "1050")
broker = made(
    *("mosquitto/broker.conf", "printf", "%s\\n"),
    f"listener {PORT} 127.0.0.1",
    f"pid_file {PID_FILE}",
    *("user root", "allow_anonymous true", "persistence false", "set_tcp_nodelay true", "log_type error"),
    *("max_inflight_messages 0", "max_queued_messages 0"),
)


def served(scenario: str) -> Case:
    load = (PYTHON, str(OURS / "mqtt_load.py"), scenario, str(PORT), str(PID_FILE))
    return case("/usr/sbin/mosquitto", "-c", broker, beside=load)


ALL = [
    Workload(
        name="sqlite3",
        what="indexes and joins the words of Unicode's names; held out: full-text search of languages and words",
        tune=case("/usr/bin/sqlite3", "-batch", ":memory:", stdin=OURS / "characters.sql"),
        held_out=case("/usr/bin/sqlite3", "-batch", ":memory:", stdin=OURS / "languages.sql"),
        packages=("sqlite3", "unicode-data", "iso-codes", "wamerican"),
    ),
    Workload(
        name="z3",
        what="proves bubble sort of eight numbers, unrolled; held out: schedules a job shop, as difference logic",
        tune=case("/usr/bin/z3", bubble_sort),
        held_out=case("/usr/bin/z3", job_shop),
        packages=("z3", "python3"),
        inputs=(bubble_sort, job_shop),
    ),
    Workload(
        name="mosquitto",
        what="an MQTT broker on loopback under reports of sensors; held out: with readers who fetch retained pages",
        tune=served("telemetry"),
        held_out=served("library"),
        packages=("mosquitto", "python3", "wamerican"),
        inputs=(broker,),
        threads=True,
    ),
    Workload(
        name="xz",
        what="compresses Unicode's table, in a few large blocks: malloc does not matter; held out: its sorting keys",
        tune=case("/usr/bin/xz", "-6", "-T1", "-c", UNICODE / "UnicodeData.txt"),
        held_out=case("/usr/bin/xz", "-6", "-T1", "-c", UNICODE / "allkeys.txt"),
        packages=("xz-utils", "unicode-data"),
    ),
]

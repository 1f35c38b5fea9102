"""The rounds: each goes through all workloads, and tells how long the rest will take."""

from collections.abc import Sequence

from comparison.trial import Trial
from strata.naming import counted, seconds_text
from strata.terminal import Steps


def measure(trials: Sequence[Trial], rounds: int, progress: Steps) -> bool:
    """Measures; false if it was interrupted, which keeps every round that was complete."""
    try:
        with progress.step(
            f"measuring {counted(len(trials), 'workload')}, {counted(rounds, 'round')}", total=rounds * len(trials)
        ) as step:
            for number in range(1, rounds + 1):
                for place, trial in enumerate(trials):
                    if trial.failed is not None:
                        step.at("")
                        continue
                    left = remaining(trials, place, rounds - number)
                    at = (
                        f"round {number}/{rounds}, {trial.workload.name} ({place + 1}/{len(trials)}), about {left} left"
                    )
                    step.at(at, advance=0, told=True)
                    trial.round(lambda what, at=at: step.at(f"{at}: {what}", advance=0))  # type: ignore[misc]
                    step.at(at)
                    if trial.failed is not None:
                        step.at(f"{trial.workload.name} is left out: {trial.failed}", advance=0, told=True)
    except KeyboardInterrupt:
        return False
    return True


def remaining(trials: Sequence[Trial], place: int, rounds_after: int) -> str:
    """From the workload at `place` on, if every workload takes as long as it did before."""
    seconds = [0.0 if trial.failed is not None else trial.seconds for trial in trials]
    return seconds_text(round(sum(seconds[place:]) + rounds_after * sum(seconds)))

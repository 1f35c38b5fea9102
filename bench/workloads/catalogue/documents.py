"""Programs that read documents: streams of short strings, trees of a whole document, and buffers."""

from pathlib import Path

from workloads.model import OURS, Made, Workload, case, made

DOC = Path("/usr/share/doc")
PODS = Path("/usr/share/perl/5.36/pod")
PROSE = ("perlglossary", "perlfaq1", "perlfaq2", "perlfaq3", "perlfaq4", "perlfaq5", "perlfaq8", "perlop", "perlguts")
DOCBOOK = "/usr/share/xml/docbook/stylesheet/docbook-xsl/fo/docbook.xsl"
SENTENCES = OURS / "sentences.awk"


def shell(name: str, script: str, *arguments: str | Path) -> tuple[str, ...]:
    return ("sh", "-c", script, name, *map(str, arguments))


def unpacked(name: str, source: str) -> Made:
    return made(name, "zcat", DOC / source)


VALGRIND, NETTLE = "valgrind/valgrind_manual.pdf.gz", "nettle-dev/nettle.pdf.gz"
manual = unpacked("ghostscript/valgrind.pdf", VALGRIND)
book = unpacked("ghostscript/nettle.pdf", NETTLE)
text = (unpacked("pdftotext/valgrind.pdf", VALGRIND), unpacked("pdftotext/nettle.pdf", NETTLE))
perl_pages = made(
    "groff/perl.1", *shell("pages", "dpkg -L perl-doc | grep /man1/perl | sort | sed -n 1,100p | xargs zcat")
)
git_pages = made("groff/git.1", *shell("pages", "dpkg -L git-man | grep '/man[157]/.*gz' | sort | xargs zcat"))
articles = tuple(
    unpacked(f"xsltproc/{name}.xml", f"{package}/{name}.xml.gz")
    for package, name in {
        "shared-mime-info": "shared-mime-info-spec",
        "xtrans-dev": "xtrans",
        "libxslt1-dev/html/tutorial": "libxslttutorial",
    }.items()
)
prose = made(
    "link-parser/perl.txt",
    *("gawk", "-v", "most=250", "-f", SENTENCES),
    *(PODS / f"{name}.pod" for name in PROSE),
)
gospel = made(
    "link-parser/matthew.txt",
    *shell("gospel", "bible -f mat1:1-28:20 | sed 's/^[^ ]* //' | gawk -v most=250 -f \"$1\"", SENTENCES),
)
PARSER = ("/usr/bin/link-parser", "en", "-verbosity=0", "-limit=100")
GS = ("/usr/bin/gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER")

ALL = [
    Workload(
        name="ghostscript",
        what="text of 150 pages of a manual in PDF; held out: pictures of the pages of another one, in large blocks",
        tune=case(*GS, "-sDEVICE=txtwrite", "-dLastPage=150", "-o", "-", manual),
        held_out=case(*GS, "-sDEVICE=png16m", "-r36", "-o", "-", book),
        packages=("ghostscript", "valgrind", "nettle-dev"),
        inputs=(manual, book),
    ),
    Workload(
        name="groff",
        what="troff sets perl's manual pages for print; held out: git's for a terminal: strings that live for a word",
        tune=case("/usr/bin/troff", "-Tps", "-mandoc", perl_pages),
        held_out=case("/usr/bin/troff", "-Tutf8", "-mandoc", git_pages),
        packages=("groff", "perl-doc", "git-man"),
        inputs=(perl_pages, git_pages),
    ),
    Workload(
        name="xsltproc",
        what="a page of the MIME database with all its translations; held out: three DocBook articles set for print",
        tune=case("/usr/bin/xsltproc", "--nonet", OURS / "mime.xsl", "/usr/share/mime/packages/freedesktop.org.xml"),
        held_out=case("/usr/bin/xsltproc", "--nonet", "--novalid", DOCBOOK, *articles),
        packages=("xsltproc", "docbook-xsl", "shared-mime-info", "xtrans-dev", "libxslt1-dev"),
        inputs=articles,
    ),
    Workload(
        name="pdftotext",
        what="text of a manual in PDF; held out: where each word of another one stands",
        tune=case("/usr/bin/pdftotext", "-layout", text[0], "-"),
        held_out=case("/usr/bin/pdftotext", "-bbox-layout", text[1], "-"),
        packages=("poppler-utils", "valgrind", "nettle-dev"),
        inputs=text,
    ),
    Workload(
        name="link-parser",
        what="parses English sentences from perl's manuals; held out: from the Gospel of Matthew",
        tune=case(*PARSER, stdin=prose),
        held_out=case(*PARSER, stdin=gospel),
        packages=("link-grammar", "gawk", "perl-doc", "bible-kjv"),
        inputs=(prose, gospel),
    ),
]

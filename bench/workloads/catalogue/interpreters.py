"""Interpreters: small objects of many sizes, most of which die young."""

from pathlib import Path

from workloads.model import OURS, Workload, case, made

PODS = Path("/usr/share/perl/5.36/pod")
REST = Path("/usr/share/doc/docutils-doc/docs")
GIT = Path("/usr/share/doc/git-doc")
ISO = Path("/usr/share/iso-codes/json")
RUBY = Path("/usr/lib/ruby/3.1.0")
LUA = Path("/usr/share/lua/5.1")

PAGES = (
    *(
        "user-manual",
        "gitcore-tutorial",
        "git-fast-import",
        "MyFirstContribution",
        "git-bisect-lk2009",
        "gitattributes",
    ),
    *("git-rebase", "git-svn", "git-filter-branch", "MyFirstObjectWalk", "git-format-patch", "git-push", "githooks"),
)
LUA_SOURCES = (
    *("pl/Date", "pl/List", "pl/OrderedMap", "pl/array2d", "pl/class", "pl/comprehension", "pl/data", "pl/dir"),
    *("pl/func", "pl/lapp", "pl/lexer", "pl/path", "pl/pretty", "pl/seq", "pl/sip", "pl/stringx", "pl/tablex"),
    *("pl/template", "pl/text", "pl/utils", "pl/xml", "luacheck/parser", "luacheck/lexer", "luacheck/filter"),
    *("luacheck/config", "luacheck/main", "luacheck/runner", "luacheck/options", "luacheck/format", "luacheck/utils"),
    *("luacheck/stages/linearize", "luacheck/stages/resolve_locals", "luacheck/stages/detect_globals"),
)
RUBY_SOURCES = (
    *("optparse", "set", "ostruct", "resolv", "fileutils", "net/http", "net/protocol", "uri/generic", "psych/visitors"),
    *(
        "rdoc/markdown",
        "rdoc/markup/parser",
        "rdoc/parser/ruby",
        "rdoc/parser/c",
        "rdoc/rd/block_parser",
        "rdoc/options",
    ),
    *(
        "rubygems/specification",
        "rubygems/installer",
        "rubygems/resolver",
        "bundler/cli",
        "bundler/dsl",
        "irb/ruby-lex",
    ),
)

pods = made("perl/manuals.pod", "cat", *(PODS / f"{name}.pod" for name in ("perlfunc", "perlapi", "perlop", "perlre")))

ALL = [
    Workload(
        name="gawk",
        what="gathers the properties of every character of Unicode; held out: finds the anagrams in a list of words",
        tune=case("/usr/bin/gawk", "-f", OURS / "properties.awk", "/usr/share/unicode/DerivedCoreProperties.txt"),
        held_out=case("/usr/bin/gawk", "-f", OURS / "anagrams.awk", "/usr/share/dict/american-english"),
        packages=("gawk", "unicode-data", "wamerican"),
    ),
    Workload(
        name="perl",
        what="perltidy lays out the source of perl's debugger; held out: pod2text makes text of perl's manuals",
        tune=case("/usr/bin/perl", "/usr/bin/perltidy", "-st", "-se", "/usr/share/perl/5.36/perl5db.pl"),
        held_out=case("/usr/bin/perl", "/usr/bin/pod2text", pods),
        packages=("perl", "perltidy", "perl-doc"),
        inputs=(pods,),
    ),
    Workload(
        name="python3",
        what="docutils makes HTML of a manual, PYTHONMALLOC=malloc; held out: lib2to3 modernises the turtle module",
        tune=case("/usr/bin/python3", "-m", "docutils", REST / "ref/doctree.txt"),
        held_out=case("/usr/bin/python3", "-m", "lib2to3", "/usr/lib/python3.11/turtle.py"),
        packages=("python3", "python3-docutils", "docutils-doc", "python3-lib2to3"),
    ),
    Workload(
        name="lua",
        what="luacheck checks the sources of Penlight and its own; held out: dkjson reads and writes ISO codes as JSON",
        tune=case("/usr/bin/lua5.4", OURS / "luacheck.lua", *(LUA / f"{name}.lua" for name in LUA_SOURCES)),
        held_out=case("/usr/bin/lua5.4", OURS / "json.lua", ISO / "iso_639-3.json", ISO / "iso_3166-2.json"),
        packages=("lua5.4", "lua-check", "lua-penlight", "lua-dkjson", "iso-codes"),
    ),
    Workload(
        name="ruby",
        what="asciidoctor makes HTML of git's manuals; held out: Ripper parses sources of Ruby's own library to trees",
        tune=case(
            *("/usr/bin/ruby", "/usr/bin/asciidoctor", "-q", "-a", "reproducible", "-o", "-"),
            *(GIT / f"{name}.txt" for name in PAGES),
        ),
        held_out=case("/usr/bin/ruby", OURS / "trees.rb", *(RUBY / f"{name}.rb" for name in RUBY_SOURCES)),
        packages=("ruby", "asciidoctor", "git-doc"),
    ),
    Workload(
        name="jq",
        what="groups the languages of ISO 639-3 by type and word; held out: the regions of ISO 3166-2 by country",
        tune=case("/usr/bin/jq", "-c", "-f", OURS / "languages.jq", ISO / "iso_639-3.json"),
        held_out=case("/usr/bin/jq", "-c", "-f", OURS / "regions.jq", ISO / "iso_3166-2.json"),
        packages=("jq", "iso-codes"),
    ),
    Workload(
        name="bc",
        what="pi to 1800 digits; held out: factors of Mersenne numbers: few numbers alive, each replaced at once",
        tune=case("/usr/bin/bc", "-lq", OURS / "pi.bc"),
        held_out=case("/usr/bin/bc", "-q", OURS / "factors.bc"),
        packages=("bc",),
    ),
]

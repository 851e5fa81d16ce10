"""`manage.py test`: what it runs where, what it leaves out, and what its status is."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from config.management.commands.test import (
    CACHE,
    MARK,
    NOTHING_COLLECTED,
    Run,
    Tier,
    _pytest,
    choose_paths,
    exit_status,
    last_lines,
    runs_without,
    try_again,
)
from operations.data_dir import PROJECT
from tests.processor_time import files_of_shard
from tests.run_report import without_halves

FAILED = 1  # pytest's status
FILES = sorted(path.relative_to(PROJECT) for path in (PROJECT / "tests").rglob("test_*.py"))


def runs_of(path: Path, runs: list[Run]) -> list[str]:
    return [run.title for run in runs if any(path.is_relative_to(folder) for folder in run.folders)]


def test_every_file_of_tests_is_run_once_on_sqlite_or_in_the_browser() -> None:
    runs = [run for run in runs_without([], Tier.ALL) if run.title != "PostgreSQL"]
    for path in FILES:
        assert runs_of(path, runs) == ["Browser" if "journeys" in path.parts else "SQLite"], path


def test_on_postgresql_is_run_what_is_marked_and_the_mark_says_what_is_asked_there() -> None:
    (run,) = [run for run in runs_without([]) if run.title == "PostgreSQL"]
    assert run.marks == "postgresql and not long"
    for path in FILES:
        marks = (PROJECT / path).read_text(encoding="utf-8").split(MARK)[1:]
        assert (path.as_posix() in run.folders) == bool(marks), path
        assert all(mark.lstrip().startswith('"') for mark in marks), path


def test_the_quick_tier_leaves_out_slow_tests_postgresql_and_all_but_a_few_journeys() -> None:
    sqlite, browser = runs_without([], Tier.QUICK)
    assert sqlite.marks == "not slow and not long"
    assert (browser.title, len(browser.folders)) == ("Browser", 3)
    for named in browser.folders:
        path, *_, test = named.split("::")
        assert f"def {test}(" in (PROJECT / path).read_text(encoding="utf-8"), named


def test_the_nightly_tier_runs_everything_on_both_databases() -> None:
    sqlite, postgresql, browser = runs_without([], Tier.LONG)
    assert (sqlite.folders, sqlite.marks) == (postgresql.folders, postgresql.marks)
    assert {run.marks for run in (sqlite, postgresql, browser)} == {""}


def test_every_long_test_says_why_it_is_run_nightly_only() -> None:
    for path in FILES:
        marks = (PROJECT / path).read_text(encoding="utf-8").split("mark.long(")[1:]
        assert all(mark.lstrip().startswith('"') for mark in marks), path


@pytest.mark.slow
def test_what_asks_which_database_it_has_is_run_on_both() -> None:
    asking = [path for path in FILES if ".vendor" in (PROJECT / path).read_text(encoding="utf-8")]
    for path in asking:
        assert "PostgreSQL" in runs_of(path, runs_without([])) or "scripts" in path.parts, path


@pytest.mark.parametrize(
    ("lacking", "run"),
    [
        (["PostgreSQL"], {"PostgreSQL"}),
        (["Chromium"], set()),
        (["Firefox", "WebKit"], set()),
        (["Chromium", "Firefox", "WebKit"], {"Browser"}),
    ],
)
def test_what_a_machine_lacks_is_not_run_and_the_last_lines_say_how_to_get_it(
    lacking: list[str], run: set[str]
) -> None:
    assert {each.title for each in runs_without([])} - {each.title for each in runs_without(lacking)} == run
    for part, said in zip(lacking, last_lines({"SQLite": 0}, lacking), strict=True):
        assert said.startswith(f"not run: {part}: ")
        assert "install" in said


def test_the_last_lines_name_a_run_that_failed_and_tests_that_need_the_mark_slow() -> None:
    assert last_lines({"SQLite": FAILED, "Browser": 0}, [], slow=["tests/test_a.py::test_b"]) == [
        "tests failed: SQLite, above",
        "slow, and not marked so: tests/test_a.py::test_b",
    ]


FLAKY = """
from pathlib import Path

def test_late():
    tried = Path(__file__).with_name("tried")
    tried.write_text(tried.read_text() + "." if tried.exists() else ".")
    assert len(tried.read_text()) >= {passes_at}

def test_steady():
    pass
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    CACHE.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=CACHE) as made:
        yield Path(made)


@pytest.mark.long("starts pytest six times")
@pytest.mark.parametrize(("passes_at", "unsteady"), [(1, []), (2, ["test_late"]), (3, [])])
def test_what_failed_beside_others_is_tried_once_by_itself_and_named(
    folder: Path, passes_at: int, unsteady: list[str]
) -> None:
    (folder / "test_flaky.py").write_text(FLAKY.format(passes_at=passes_at))
    run = Run(title=folder.name, folders=())
    status = _pytest(run, ["-q", str(folder)], {})
    alone = try_again(run, status, {})
    assert [name.partition("::")[2] for name in alone] == unsteady
    assert (folder / "tried").read_text() == "." * min(passes_at, 2)
    said = [line.partition(": ")[0] for line in last_lines({}, [], alone)]
    assert said == ["passed only when tried again by itself"] * len(unsteady)


@pytest.mark.parametrize(
    ("statuses", "missing", "status", "status_in_ci"),
    [
        ([0, 0], [], 0, 0),
        ([0, NOTHING_COLLECTED], [], 0, 0),
        ([NOTHING_COLLECTED], [], 1, 1),
        ([], [], 1, 1),
        ([0, FAILED], [], 1, 1),
        ([0, 4], [], 1, 1),
        ([0], ["Chromium"], 0, 1),
    ],
)
def test_the_status_is_good_if_something_was_run_and_nothing_failed(
    statuses: list[int], missing: list[str], status: int, status_in_ci: int
) -> None:
    named = {f"run {place}": each for place, each in enumerate(statuses)}
    assert exit_status(named, missing, is_ci=False) == status
    assert exit_status(named, missing, is_ci=True) == status_in_ci


@pytest.mark.parametrize(
    ("paths", "chosen"),
    [
        ([], ["tests/jobs", "tests/clubs"]),
        (["tests"], ["tests/jobs", "tests/clubs"]),
        (["tests/jobs/test_jobs.py::test_one"], ["tests/jobs/test_jobs.py::test_one"]),
        (["tests/web"], []),
        (["tests/clubs", "tests/web"], ["tests/clubs"]),
    ],
)
def test_paths_choose_what_of_a_run_lies_there(paths: list[str], chosen: list[str]) -> None:
    assert choose_paths(Run(title="two folders", folders=("tests/jobs", "tests/clubs")), paths) == chosen


def test_shards_hold_every_file_once_and_take_about_as_long_as_each_other() -> None:
    files = [f"tests/test_{name}.py" for name in "abcdefgh"]
    seconds = dict(zip(files, (9.0, 8.0, 1.0, 1.0, 1.0, 1.0, 5.0, 4.0), strict=True))
    shards = [files_of_shard(files, seconds, number, 3) for number in (1, 2, 3)]
    assert sorted(chain(*shards)) == files
    assert [sum(seconds[file] for file in shard) for shard in shards] == [10, 10, 10]


def test_what_a_process_tells_another_has_no_half_of_a_character() -> None:
    told = {"sections": [("log", "said \udcff")], "when": 1.5, "why": ["\ud800", None]}
    assert without_halves(told) == {
        "sections": [("log", "said \\udcff")],
        "when": 1.5,
        "why": ["\\ud800", None],
    }

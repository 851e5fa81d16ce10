"""The command `manage.py test`: its runs, what they leave out, and its exit status."""

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from operations.data_dir import PROJECT
from tests.processor_time import choose_shard_files
from tests.run_report import escape_surrogates
from tools.test_runs import (
    CACHE_FOLDER,
    MARK,
    NOTHING_COLLECTED,
    Run,
    Tier,
    _run_pytest,
    choose_paths,
    compute_exit_status,
    format_summary,
    list_runs,
    retry_failed,
    split_paths,
)

FAILED_STATUS = 1  # pytest's status
FILES = sorted(path.relative_to(PROJECT) for path in (PROJECT / "tests").rglob("test_*.py"))


def runs_of(path: Path, runs: list[Run]) -> list[str]:
    return [run.title for run in runs if any(path.is_relative_to(folder) for folder in run.folders)]


def test_values_of_pytest_options_are_no_paths() -> None:
    options = ["-m", "", "-k", "clubs"]
    assert split_paths([*options, "tests/api", "tests/api/test_x.py"]) == (
        ["tests/api"],
        [*options, "tests/api/test_x.py"],
    )


@pytest.mark.slow
def test_every_test_file_runs_once_on_sqlite_or_in_the_browser() -> None:
    runs = [run for run in list_runs([], Tier.ALL) if run.title != "PostgreSQL"]
    for path in FILES:
        assert runs_of(path, runs) == ["Browser" if "journeys" in path.parts else "SQLite"], path


def test_postgresql_run_contains_exactly_the_marked_files() -> None:
    (run,) = [run for run in list_runs([]) if run.title == "PostgreSQL"]
    assert run.marks == "postgresql and not long"
    for path in FILES:
        marks = (PROJECT / path).read_text(encoding="utf-8").split(MARK)[1:]
        assert (path.as_posix() in run.folders) == bool(marks), path
        assert all(mark.lstrip().startswith('"') for mark in marks), path


def test_quick_tier_skips_slow_tests_postgresql_and_most_journeys() -> None:
    sqlite, browser = list_runs([], Tier.QUICK)
    assert sqlite.marks == "not slow and not long"
    assert (browser.title, len(browser.folders)) == ("Browser", 3)
    for named in browser.folders:
        path, *_, test = named.split("::")
        assert f"def {test}(" in (PROJECT / path).read_text(encoding="utf-8"), named


def test_the_nightly_tier_runs_everything_on_both_databases() -> None:
    sqlite, postgresql, browser = list_runs([], Tier.LONG)
    assert (sqlite.folders, sqlite.marks) == (postgresql.folders, postgresql.marks)
    assert {run.marks for run in (sqlite, postgresql, browser)} == {""}


def test_every_long_test_states_its_reason() -> None:
    for path in FILES:
        marks = (PROJECT / path).read_text(encoding="utf-8").split("mark.long(")[1:]
        assert all(mark.lstrip().startswith('"') for mark in marks), path


@pytest.mark.long
def test_database_specific_tests_run_on_both_databases() -> None:
    sqlite_only = 'skipif(connection.vendor != "sqlite"'
    sources = {path: (PROJECT / path).read_text(encoding="utf-8").replace(sqlite_only, "") for path in FILES}
    for path in (path for path, source in sources.items() if ".vendor" in source):
        assert "PostgreSQL" in runs_of(path, list_runs([])) or "scripts" in path.parts, path


@pytest.mark.parametrize(
    ("lacking", "run"),
    [
        (["PostgreSQL"], {"PostgreSQL"}),
        (["Chromium"], set()),
        (["Firefox", "WebKit"], set()),
        (["Chromium", "Firefox", "WebKit"], {"Browser"}),
    ],
)
def test_missing_tool_skips_its_run_with_an_installation_hint(lacking: list[str], run: set[str]) -> None:
    assert {each.title for each in list_runs([])} - {each.title for each in list_runs(lacking)} == run
    for part, line in zip(lacking, format_summary({"SQLite": 0}, lacking), strict=True):
        assert line.startswith(f"not run: {part}: ")
        assert "install" in line


def test_summary_names_failed_runs_and_unmarked_slow_tests() -> None:
    assert format_summary({"SQLite": FAILED_STATUS, "Browser": 0}, [], slow=["tests/test_a.py::test_b"]) == [
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
    CACHE_FOLDER.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=CACHE_FOLDER) as made:
        yield Path(made)


@pytest.mark.long("starts pytest six times")
@pytest.mark.parametrize(("passes_at", "unsteady"), [(1, []), (2, ["test_late"]), (3, [])])
def test_failed_test_is_retried_alone_and_reported_as_flaky(folder: Path, passes_at: int, unsteady: list[str]) -> None:
    (folder / "test_flaky.py").write_text(FLAKY.format(passes_at=passes_at))
    run = Run(title=folder.name, folders=(), processes=1)
    status = _run_pytest(run, ["-q", str(folder)], {})
    alone = retry_failed(run, status, {})
    assert [name.partition("::")[2] for name in alone] == unsteady
    assert (folder / "tried").read_text() == "." * min(passes_at, 2)
    labels = [line.partition(": ")[0] for line in format_summary({}, [], alone)]
    assert labels == ["passed only when tried again by itself"] * len(unsteady)


@pytest.mark.parametrize(
    ("statuses", "missing", "status", "status_in_ci"),
    [
        ([0, 0], [], 0, 0),
        ([0, NOTHING_COLLECTED], [], 0, 0),
        ([NOTHING_COLLECTED], [], 1, 1),
        ([], [], 1, 1),
        ([0, FAILED_STATUS], [], 1, 1),
        ([0, 4], [], 1, 1),
        ([0], ["Chromium"], 0, 1),
    ],
)
def test_exit_status_is_zero_only_if_something_ran_and_passed(
    statuses: list[int], missing: list[str], status: int, status_in_ci: int
) -> None:
    named = {f"run {place}": each for place, each in enumerate(statuses)}
    assert compute_exit_status(named, missing, is_ci=False) == status
    assert compute_exit_status(named, missing, is_ci=True) == status_in_ci


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
def test_paths_select_the_folders_of_a_run(paths: list[str], chosen: list[str]) -> None:
    assert choose_paths(Run(title="two folders", folders=("tests/jobs", "tests/clubs"), processes=1), paths) == chosen


def test_shards_contain_every_file_once_and_take_similar_time() -> None:
    files = [f"tests/test_{name}.py" for name in "abcdefgh"]
    seconds = dict(zip(files, (9.0, 8.0, 1.0, 1.0, 1.0, 1.0, 5.0, 4.0), strict=True))
    shards = [choose_shard_files(files, seconds, number, 3) for number in (1, 2, 3)]
    assert sorted(chain(*shards)) == files
    assert [sum(seconds[file] for file in shard) for shard in shards] == [10, 10, 10]


def test_process_reports_escape_lone_surrogates() -> None:
    report = {"sections": [("log", "said \udcff")], "when": 1.5, "why": ["\ud800", None]}
    assert escape_surrogates(report) == {
        "sections": [("log", "said \\udcff")],
        "when": 1.5,
        "why": ["\\ud800", None],
    }

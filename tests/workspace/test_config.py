import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from memlab.errors import ParameterError, UnknownNameError
from memlab.workspace.config import Config, load

COPENHAGEN = ZoneInfo("Europe/Copenhagen")


@pytest.fixture(autouse=True)
def _no_model_by_environment(monkeypatch):
    monkeypatch.delenv("MEMLAB_EMBEDDING")


def test_the_environment_names_a_model_where_nothing_else_does(pages, monkeypatch):
    monkeypatch.setenv("MEMLAB_EMBEDDING", "minilm")
    assert load(pages({"memlab.toml": ""})).embedding == "minilm"
    assert load(pages({"memlab.toml": 'embedding = "none"'})).embedding == "none"
    assert load(pages({"memlab.toml": ""}), embedding="mpnet").embedding == "mpnet"


def test_keywords_win_over_the_file_and_the_file_over_defaults(pages):
    root = pages({"memlab.toml": 'timezone = "Asia/Yangon"\nretriever = "lexical(k1=0.9)"\n'})
    config = load(root, timezone="Europe/Copenhagen", max_file_bytes=None)
    assert config == Config("Europe/Copenhagen", "lexical(k1=0.9)", max_file_bytes=8 * 1024 * 1024)


def test_a_table_of_settings_is_flat_as_keywords(pages):
    root = pages({"memlab.toml": 'opinions.updater = "log-odds"\n\n[embedding_models]\n'})
    with pytest.raises(UnknownNameError, match="'embedding_models'"):
        load(root)
    root = pages({"memlab.toml": '[opinions]\nupdater = "log-odds"\ndetector = "rules"\n'})
    assert load(root).opinions_updater == "log-odds"
    assert load(root, opinions_updater="small").opinions_updater == "small"
    with pytest.raises(UnknownNameError, match="'opinions_colour'"):
        load(pages({"memlab.toml": "opinions.colour = 1\n"}))


def test_without_a_file_all_is_default(tmp_path):
    assert load(tmp_path) == Config()


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("colour = 1", UnknownNameError, "'colour'"),
        ("retriever = 7", ParameterError, "retriever must be a str, got 7"),
        ("max_file_bytes = true", ParameterError, "max_file_bytes must be a int, got True"),
        ("max_file_bytes = 0", ParameterError, "must be at least 1, got 0"),
        ('timezone = "Mars/Base"', ParameterError, "no time zone 'Mars/Base'"),
        ('timezone = "../etc"', ParameterError, "no time zone"),
        ("= 7", ParameterError, "cannot be read as TOML"),
        (b"a = '\xff'", ParameterError, "cannot be read as TOML"),
    ],
)
def test_a_faulty_setting_is_an_error_that_names_it(pages, text, error, message):
    root = pages({"memlab.toml": text})
    with pytest.raises(error, match=message):
        load(root)


def test_an_unknown_keyword_is_an_error_that_lists_the_known(tmp_path):
    with pytest.raises(
        UnknownNameError, match="Known: embedding, max_file_bytes, opinions_detector, opinions_upda"
    ):
        load(tmp_path, colour=1)


@pytest.mark.parametrize(
    ("now", "moment"),
    [
        ("2025-11-27", dt.datetime(2025, 11, 27, 12, tzinfo=COPENHAGEN)),
        (dt.date(2025, 11, 27), dt.datetime(2025, 11, 27, 12, tzinfo=COPENHAGEN)),
        ("2025-11-27T09:30", dt.datetime(2025, 11, 27, 9, 30, tzinfo=COPENHAGEN)),
        ("2025-11-26T23:30+00:00", dt.datetime(2025, 11, 27, 0, 30, tzinfo=COPENHAGEN)),
    ],
)
def test_the_clock_is_local_to_the_workspace(now, moment):
    read = Config(timezone="Europe/Copenhagen").now(now)
    assert read == moment
    assert read.utcoffset() == dt.timedelta(hours=1)


def test_the_real_clock_is_used_when_none_is_given():
    before = dt.datetime.now(dt.UTC)
    read = Config(timezone="Asia/Yangon").now()
    assert before <= read <= dt.datetime.now(dt.UTC)
    assert read.utcoffset() == dt.timedelta(hours=6, minutes=30)


def test_what_is_no_moment_is_refused():
    with pytest.raises(ParameterError, match="'noon' is no moment"):
        Config().now("noon")

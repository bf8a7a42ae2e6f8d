import pandas as pd
import pytest

from memlab.errors import ParameterError
from memlab.evaluation import embedding_models
from memlab.evaluation.embedding_models import Machine, advice, by_model, compare, recommend


def figures(**changed):
    rows = {
        "small": {"recall@10": 0.70, "passages_per_s": 200.0, "query_ms": 10.0, "memory_mb": 500.0},
        "large": {"recall@10": 0.80, "passages_per_s": 10.0, "query_ms": 90.0, "memory_mb": 1500.0},
        "none": {"recall@10": 0.40, "passages_per_s": 9000.0, "query_ms": 1.0, "memory_mb": 100.0},
    }
    for model, values in changed.items():
        rows[model] |= values
    table = [
        {"model": model, "dataset": dataset, "questions": 9, "MRR@10": 0.5, "index_s": 1.0,
         "disk_mb": 90.0, "note": "", **values, "recall@10": values["recall@10"] + more}
        for model, values in rows.items()
        for dataset, more in (("one", 0.1), ("two", -0.1))
    ]  # fmt: skip
    return pd.DataFrame(table)


def chosen(table):
    return {one.machine: one.model for one in recommend(table)}


def test_the_best_that_a_machine_can_bear():
    assert chosen(figures()) == {"laptop": "small", "desktop": "large"}


@pytest.mark.parametrize(
    ("changed", "laptop", "desktop"),
    [
        ({"large": {"passages_per_s": 30.0}}, "large", "large"),
        ({"large": {"memory_mb": 9000.0}}, "small", "small"),
        ({"small": {"recall@10": 0.30}}, "none", "large"),
        ({"small": {"query_ms": 900.0}}, "none", "large"),
        ({"small": {"recall@10": 0.90}}, "small", "small"),
        ({"small": {"recall@10": 0.80}}, "small", "small"),  # as good, and faster
    ],
)
def test_other_figures_another_recommendation(changed, laptop, desktop):
    assert chosen(figures(**changed)) == {"laptop": laptop, "desktop": desktop}


def test_quality_is_the_mean_over_data_sets():
    table = by_model(figures())
    assert table.loc["small", "quality"] == pytest.approx((0.8 + 0.6) / 2)
    assert table.loc["small", "worst"] == pytest.approx(0.6)


def test_a_model_that_failed_is_left_out_and_where_none_fits_it_is_said():
    table = figures()
    table.loc[table["model"] == "large", "recall@10"] = None
    assert chosen(table)["desktop"] == "small"
    (one,) = recommend(table, {"watch": Machine(memory_mb=1, passages_per_s=1, query_ms=1)})
    assert one.model == ""
    assert "nothing (none of the models" in advice(table, {"watch": Machine(1, 1, 1)})


def test_nothing_to_compare_is_refused():
    with pytest.raises(ParameterError):
        compare([], ["harbour"])


def test_measured_in_a_process_of_its_own():
    pytest.importorskip("sklearn", reason="needs extra 'embeddings'")
    pytest.importorskip("ir_measures", reason="needs extra 'eval'")
    table = compare(["tfidf-svd", "st:/no/such/folder"], ["harbour"], sample=12, seed=1)
    assert list(table.columns) == list(embedding_models.COLUMNS)
    first, second = table.to_dict("records")
    assert first["questions"] == 12
    assert 0 < first["recall@10"] <= 1
    assert first["memory_mb"] > 20
    assert pd.isna(second["recall@10"])
    assert "neither the folder of a model" in second["note"]


def test_tables_and_figure_are_kept(tmp_path):
    pytest.importorskip("matplotlib", reason="needs extra 'notebooks'")
    embedding_models.keep(figures(), tmp_path / "out")
    assert {file.suffix for file in (tmp_path / "out").iterdir()} == {".csv", ".md", ".svg"}
    assert "**laptop**: `small`" in (tmp_path / "out" / "embedding_models.md").read_text()

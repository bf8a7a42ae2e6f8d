"""Plots: the same bytes each time, and every system named."""

import pytest

from memlab.evaluation.datasets.own import Own
from memlab.evaluation.experiment import experiment

pytest.importorskip("matplotlib", reason="needs extra 'notebooks'")


def test_a_plot_is_byte_identical_and_names_what_failed(notes, tmp_path, in_order, broken):
    systems = {"in order": in_order, "bad": broken}
    report = experiment(systems, Own(str(notes)), reports=None)
    for name in ("a.svg", "b.svg"):
        report.save_plot(tmp_path / name, "recall@10")
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    labels = [text.get_text() for text in report.plot().axes[0].get_legend().get_texts()]
    assert sorted(labels) == ["bad: failed", "in order"]


def test_a_figure_shows_itself_in_a_notebook_without_pyplot():
    from memlab.evaluation.plots import figure_of

    figure = figure_of((2.0, 1.0))
    figure.subplots().plot([0, 1])
    assert figure._repr_png_().startswith(b"\x89PNG")

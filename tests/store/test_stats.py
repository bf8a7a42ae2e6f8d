"""What the system says of a file stands for its bytes only once they are settled."""

from memlab.store import stats


def test_a_file_has_a_stamp_once_it_cannot_change_unseen(tmp_path, monkeypatch):
    file = tmp_path / "page.md"
    assert stats.stamp(file) == ""
    file.write_text("one")
    assert stats.stamp(file) == ""  # it may be written again within one tick of its clock
    now = stats.now_ns
    monkeypatch.setattr(stats, "now_ns", lambda: now() + 10_000_000_000)
    before = stats.stamp(file)
    assert before == stats.stamp(file) != ""
    file.write_text("two more")
    assert stats.stamp(file) not in ("", before)

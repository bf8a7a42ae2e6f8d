"""The names that heads and ``@`` give, in the order in which they first stand on the pages.

The first spelling of an entity is the one that is shown, so where each first stands is kept in the
snapshot: only a page that went or came can change it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

_SAID = "SELECT unnest(heads || tags) AS name, path, start_line FROM"
_IN_ORDER = "SELECT name, path, start_line FROM {} ORDER BY path, start_line, name"


def in_order(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """All names; the table of names is brought up to date.

    Args:
        connection: The snapshot that is being built: the facts that stay in ``facts``, those that
            come in ``new``, the paths of those that went in ``gone``.
    """
    before = connection.execute(_IN_ORDER.format("names")).fetchall()
    went = {path for (path,) in connection.execute("SELECT DISTINCT path FROM gone").fetchall()}
    connection.execute("CREATE TEMP TABLE lost AS FROM names SEMI JOIN gone USING (path)")
    sources = ["FROM names ANTI JOIN lost USING (name)", f"{_SAID} new"]
    if any(path in went for _, path, _ in before):  # another may be the first one now
        sources.append(f"FROM ({_SAID} facts) SEMI JOIN lost USING (name)")
    connection.execute(
        f"""
        CREATE TEMP TABLE named AS SELECT name, first.path, first.start_line FROM (
            SELECT name, min({{'path': path, 'start_line': start_line}}) AS first
            FROM ({" UNION ALL ".join(sources)}) GROUP BY name)
        """
    )
    now = connection.execute(_IN_ORDER.format("named")).fetchall()
    if now != before:
        connection.execute("DELETE FROM names; INSERT INTO names FROM named")
    return [name for name, _, _ in now]

"""What follows from all pages together: final ids, entities, and which facts are about which."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memlab.errors import CollisionError
from memlab.store import duck, ingest
from memlab.store.names import in_order
from memlab.tokens import tokens
from memlab.workspace.entities import Lexicon, key
from memlab.workspace.layout import Role

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import duckdb

_ENTITY_COLUMNS = {"key": "VARCHAR", "name": "VARCHAR", "page": "VARCHAR", "aliases": "VARCHAR[]"}
_ABOUT_COLUMNS = {"number": "INTEGER", "entities": "VARCHAR[]"}
_LINK_COLUMNS = {"row": "INTEGER", "entities": "VARCHAR[]"}
_BATCH = 4096
_TAKEN = "the alias "

_IS_ASCII = "strlen(content) = length(content)"
# "Ada's" mentions Ada: where more follows at once, or another apostrophe may fold to that one, the
# tokens do not tell which words stand before it
_IS_ODD = rf"""
    regexp_matches(content, '(?i)[''’]s\S')
    OR (NOT {_IS_ASCII} AND regexp_matches(content, '[''’＇]'))
"""


def derive(connection: duckdb.DuckDBPyConnection, folder: Path) -> list[int]:
    """Add the facts of the table ``new`` to the others, with what one page alone cannot tell.

    Args:
        connection: The snapshot that is being built. Facts that were carried over have the ids and
            entities that they had, when the table of entities was all that was known.
        folder: Where working files may be written.

    Returns:
        The rows of all facts that are new or have changed.

    Raises:
        CollisionError: If two unlike facts have one id.
    """
    before = load_lexicon(connection)
    changed = _identify(connection)
    lexicon = _learn(connection, folder)
    _take_back(connection, before, lexicon)
    _link(connection, lexicon, folder)
    columns = ", ".join(ingest.FACT_COLUMNS)
    connection.execute(
        f"""
        SET disabled_optimizers = 'join_order,build_side_probe_side'; -- new ones stay in order
        INSERT INTO facts (row, {columns}, id, entities)
        SELECT row, {columns}, coalesce(numbered.id, before.id, base_id),
            coalesce(linked.entities, about.entities)
        FROM new JOIN new_names USING (row) JOIN about USING (number)
        LEFT JOIN numbered USING (row) LEFT JOIN linked USING (row) LEFT JOIN before USING (row);
        RESET disabled_optimizers
        """
    )
    added = connection.execute(
        """
        SELECT row FROM new ANTI JOIN (
            SELECT row FROM facts JOIN before USING (row, id, entities)
        ) AS same USING (row)
        """
    )
    return sorted({*changed, *(row for (row,) in added.fetchall())})


def load_lexicon(connection: duckdb.DuckDBPyConnection) -> Lexicon:
    """The lexicon that a snapshot was linked with."""
    return Lexicon.of(row[1:] for row in _entities(connection))


def _entities(connection: duckdb.DuckDBPyConnection) -> list[tuple[Any, ...]]:
    """The table of entities, in the order of `_ENTITY_COLUMNS`."""
    sql = f"SELECT {', '.join(_ENTITY_COLUMNS)} FROM entities ORDER BY rowid"
    return connection.execute(sql).fetchall()


def _identify(connection: duckdb.DuckDBPyConnection) -> list[int]:
    """Number truly identical facts in the order of path and line; refuse unlike ones.

    Only those that are new, or had the identity of one that went, can be numbered otherwise.

    Returns:
        The rows of facts carried over whose id has changed.
    """
    connection.execute(
        """
        CREATE TEMP TABLE concerned AS
            SELECT base_id FROM gone UNION SELECT base_id FROM new WHERE EXISTS (FROM facts);
        """
    )
    found = connection.execute("SELECT row FROM facts SEMI JOIN concerned USING (base_id)")
    near = duck.among([row for (row,) in found.fetchall()])
    connection.execute(
        f"""
        CREATE TEMP VIEW every AS
            SELECT row, base_id, path, start_line, content, day FROM facts WHERE {near} UNION ALL
            SELECT row, base_id, path, start_line, content, day FROM new;
        CREATE TEMP TABLE repeated AS FROM every
        WHERE base_id IN (SELECT base_id FROM every GROUP BY ALL HAVING count(*) > 1);
        CREATE TEMP TABLE numbered AS SELECT row, base_id || if(n > 1, '-' || n, '') AS id FROM (
            SELECT row, base_id, row_number() OVER (
                PARTITION BY base_id ORDER BY path, start_line, row) AS n FROM repeated)
        """
    )
    unlike = connection.execute(
        """
        SELECT base_id, min(path || '#L' || start_line), max(path || '#L' || start_line)
        FROM repeated GROUP BY base_id
        HAVING count(DISTINCT (content, coalesce(day::VARCHAR, path))) > 1
        """
    ).fetchone()
    if unlike:
        base_id, one, other = unlike
        raise CollisionError(f"{one} and {other} are unlike facts with one id, {base_id}")
    changed = connection.execute(
        f"""
        UPDATE facts SET id = right_.id FROM (
            SELECT row, coalesce(numbered.id, base_id) AS id
            FROM facts LEFT JOIN numbered USING (row)
            WHERE {near} AND facts.id IS DISTINCT FROM coalesce(numbered.id, base_id)
        ) AS right_ WHERE facts.row = right_.row
        RETURNING facts.row
        """
    )
    return [row for (row,) in changed.fetchall()]


def _learn(connection: duckdb.DuckDBPyConnection, folder: Path) -> Lexicon:
    """Every entity: those with a page first, then those that a head or an ``@`` names."""
    lexicon = Lexicon()
    sql = "SELECT path, name, aliases FROM pages WHERE role = ? ORDER BY path"
    pages = connection.execute(duck.fill(sql, Role.ENTITY.value)).fetchall()
    keys = [lexicon.add(name, page=path) for path, name, _ in pages]
    # those of pages that were carried over, which may be none any more
    connection.execute(duck.fill("DELETE FROM troubles WHERE starts_with(message, ?)", _TAKEN))
    aliased: dict[str, list[str]] = {}
    for own, (path, _, aliases) in zip(keys, pages, strict=True):
        for spelling in aliases:
            if lexicon.alias(own, spelling):
                aliased.setdefault(own, []).append(spelling)
            else:
                message = f"{_TAKEN}{spelling!r} already names {lexicon.name_of(spelling)}"
                connection.execute(
                    duck.fill("INSERT INTO troubles VALUES (?, NULL, ?)", path, message)
                )
    for name in in_order(connection):
        lexicon.add(name)
    rows = [
        (own, name, lexicon.pages.get(own), aliased.get(own, []))
        for own, name in lexicon.names.items()
    ]
    if rows != _entities(connection):
        connection.execute("DELETE FROM entities")
        values = (dict(zip(_ENTITY_COLUMNS, row, strict=True)) for row in rows)
        _fill(connection, "INSERT INTO entities", values, folder / "entities", _ENTITY_COLUMNS)
    return lexicon


def _take_back(connection: duckdb.DuckDBPyConnection, before: Lexicon, lexicon: Lexicon) -> None:
    """Count as new the facts carried over that other names may concern than before."""
    connection.execute("CREATE TEMP TABLE before AS SELECT row, id, entities FROM facts LIMIT 0")
    differs = lexicon.spellings() ^ before.spellings()
    if not differs:
        return
    keys = {key(spelling) for spelling, _ in differs}
    others = Lexicon()
    for spelling, own in differs:
        others.learn(spelling, own)
    named = _named(connection, "facts")
    concerned = [number for number, names in named if keys.intersection(map(key, names))]
    connection.execute(
        f"""
        INSERT INTO before SELECT row, id, entities FROM facts WHERE row IN (
            SELECT row FROM ({_mentioning("facts", others)}) UNION SELECT row FROM facts_names
            WHERE number IN (SELECT unnest({duck.literal(concerned)}::INTEGER[])));
        INSERT INTO new BY NAME SELECT row, {", ".join(ingest.FACT_COLUMNS)}
            FROM facts SEMI JOIN before USING (row);
        DELETE FROM facts WHERE row IN (SELECT row FROM before)
        """
    )


def _link(connection: duckdb.DuckDBPyConnection, lexicon: Lexicon, folder: Path) -> None:
    """Which entities new facts are about: ``about`` by whom they name, ``linked`` where by more."""

    def about() -> Iterable[dict[str, Any]]:
        for number, names in _named(connection, "new"):
            found = (own for name in names if (own := lexicon.resolve(name)))
            yield {"number": number, "entities": list(dict.fromkeys(found))}

    def linked() -> Iterable[dict[str, Any]]:
        while batch := cursor.fetchmany(_BATCH):
            for row, content, known in batch:
                found = dict.fromkeys((*known, *lexicon.mentions(content)))
                if len(found) > len(known):
                    yield {"row": row, "entities": list(found)}

    _fill(connection, "CREATE TEMP TABLE about AS", about(), folder / "about", _ABOUT_COLUMNS)
    cursor = connection.execute(
        f"""
        SELECT row, content, entities FROM new JOIN (
            SELECT DISTINCT row, number FROM ({_mentioning("new", lexicon)})
            JOIN new_names USING (row) JOIN about USING (number)
            WHERE own IS NULL OR NOT list_contains(entities, own)
        ) USING (row) JOIN about USING (number)
        """
    )
    _fill(connection, "CREATE TEMP TABLE linked AS", linked(), folder / "linked", _LINK_COLUMNS)


def _named(connection: duckdb.DuckDBPyConnection, table: str) -> list[tuple[int, list[str]]]:
    """The different names that facts give: of their page, head, tags and links, with a number each.

    The table's ``_names`` then have the number of each row.
    """
    connection.execute(
        f"""
        CREATE TEMP TABLE {table}_named AS
        SELECT (row_number() OVER () - 1)::INTEGER AS number, names, list(row) AS rows FROM (
            SELECT row, if(page.name IS NULL, [], [page.name]) || heads || tags || links AS names
            FROM {table} JOIN (SELECT path, name FROM pages) AS page USING (path)
        ) GROUP BY names;
        CREATE TEMP TABLE {table}_names AS
            SELECT unnest(rows) AS row, number FROM {table}_named
        """
    )
    return connection.execute(f"SELECT number, names FROM {table}_named").fetchall()


def _mentioning(table: str, lexicon: Lexicon) -> str:
    """A query for all facts that may mention an entity by a name, and few others.

    Returns:
        It gives ``row`` and ``own``, the key of the entity; that is NULL where it may be any.
    """
    firsts = {(token, own) for word, own in lexicon.firsts() for token in tokens(word)[:1]}
    first, owns = zip(*sorted(firsts), strict=True) if firsts else ((), ())
    unspaced = "true" if lexicon.unspaced() else "false"
    return f"""
        SELECT DISTINCT row, own
        FROM (SELECT row, unnest(string_split(tokens, ' ')) AS token FROM {table})
        JOIN (
            SELECT unnest({duck.literal(first)}::VARCHAR[]) AS token,
                unnest({duck.literal(owns)}::VARCHAR[]) AS own
        ) USING (token)
        UNION ALL
        SELECT row, NULL FROM {table} WHERE {_IS_ODD} OR ({unspaced} AND NOT {_IS_ASCII})
    """


def _fill(
    connection: duckdb.DuckDBPyConnection,
    verb: str,
    rows: Iterable[dict[str, Any]],
    file: Path,
    columns: dict[str, str],
) -> None:
    """Have a table made from rows, by way of a file: as fast as many values go."""
    with file.with_name(f"{file.name}-0.ndjson").open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    connection.execute(f"{verb} FROM {duck.ndjson(file.parent, file.name, columns)}")

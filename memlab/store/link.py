"""What follows from all pages together: final ids, entities, and which facts are about which."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memlab.errors import CollisionError
from memlab.store import duck
from memlab.workspace.entities import Lexicon
from memlab.workspace.layout import Role

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb


_ENTITY_COLUMNS = {"key": "VARCHAR", "name": "VARCHAR", "page": "VARCHAR", "aliases": "VARCHAR[]"}
_LINK_COLUMNS = {"row": "INTEGER", "entities": "VARCHAR[]"}


def derive(connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Fill in what the facts of one page alone cannot tell.

    Args:
        connection: The snapshot that is being built; its pages and facts are loaded, and a table
            ``old_entities`` says what was known when the carried-over facts were linked.
        folder: Where a working file may be written.

    Raises:
        CollisionError: If two unlike facts have one id.
    """
    _identify(connection)
    lexicon = _learn(connection, folder)
    _link(connection, lexicon, folder)


def load_lexicon(connection: duckdb.DuckDBPyConnection) -> Lexicon:
    """The lexicon that a snapshot was linked with."""
    lexicon = Lexicon()
    rows = connection.execute("SELECT name, page, aliases FROM entities ORDER BY rowid").fetchall()
    keys = [lexicon.add(name, page=page) for name, page, _ in rows]
    for own, (_, _, aliases) in zip(keys, rows, strict=True):
        for spelling in aliases:
            lexicon.alias(own, spelling)
    return lexicon


def _identify(connection: duckdb.DuckDBPyConnection) -> None:
    """Number truly identical facts in the order of path and line; refuse unlike ones."""
    unlike = connection.execute(
        """
        SELECT base_id, min(path || '#L' || start_line), max(path || '#L' || start_line) FROM facts
        GROUP BY base_id HAVING count(DISTINCT (content, coalesce(day::VARCHAR, path))) > 1
        """
    ).fetchone()
    if unlike:
        raise CollisionError(
            f"{unlike[1]} and {unlike[2]} are unlike facts with one id, {unlike[0]}"
        )
    connection.execute(
        """
        UPDATE facts SET id = numbered.id FROM (
            SELECT row, base_id || if(n > 1, '-' || n, '') AS id FROM (
                SELECT row, base_id, row_number() OVER (
                    PARTITION BY base_id ORDER BY path, start_line, row) AS n FROM facts)
        ) AS numbered WHERE facts.row = numbered.row AND facts.id IS DISTINCT FROM numbered.id
        """
    )


def _learn(connection: duckdb.DuckDBPyConnection, folder: Path) -> Lexicon:
    """Every entity: those with a page first, then those that a head or an ``@`` names."""
    lexicon = Lexicon()
    sql = "SELECT path, name, aliases FROM pages WHERE role = ? ORDER BY path"
    pages = connection.execute(duck.fill(sql, Role.ENTITY.value)).fetchall()
    keys = [lexicon.add(name, page=path) for path, name, _ in pages]
    aliased: dict[str, list[str]] = {}
    for own, (path, _, aliases) in zip(keys, pages, strict=True):
        for spelling in aliases:
            if lexicon.alias(own, spelling):
                aliased.setdefault(own, []).append(spelling)
            else:
                message = f"the alias {spelling!r} already names {lexicon.name_of(spelling)}"
                connection.execute(
                    duck.fill("INSERT INTO troubles VALUES (?, NULL, ?)", path, message)
                )
    named = connection.execute(
        """
        SELECT name FROM (
            SELECT unnest(heads || tags) AS name, path, start_line FROM facts
        ) GROUP BY name ORDER BY min((path, start_line)), name
        """
    ).fetchall()
    for (name,) in named:
        lexicon.add(name)
    file = folder / "entities.ndjson"
    with file.open("w", encoding="utf-8") as out:
        for own, name in lexicon.names.items():
            page, aliases = lexicon.pages.get(own), aliased.get(own, [])
            row = {"key": own, "name": name, "page": page, "aliases": aliases}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    connection.execute(f"INSERT INTO entities SELECT * FROM {duck.ndjson(file, _ENTITY_COLUMNS)}")
    return lexicon


def _link(connection: duckdb.DuckDBPyConnection, lexicon: Lexicon, folder: Path) -> None:
    """The entities of each fact; of carried-over facts only if other entities are known now."""
    (same,) = connection.execute(
        """
        SELECT count(*) = 0 FROM (
            (FROM entities EXCEPT FROM old_entities) UNION ALL (FROM old_entities EXCEPT FROM entities))
        """
    ).fetchall()[0]
    cursor = connection.cursor().execute(
        f"""
        SELECT facts.row, heads, tags, links, content, pages.name FROM facts JOIN pages USING (path)
        {"WHERE facts.entities IS NULL" if same else ""} ORDER BY facts.row
        """
    )
    file = folder / "links.ndjson"
    with file.open("w", encoding="utf-8") as out:
        while batch := cursor.fetchmany(4096):
            for row, heads, tags, links, content, page_name in batch:
                keys: dict[str, None] = {}
                for name in (page_name, *heads, *tags, *links):
                    if name and (own := lexicon.resolve(name)):
                        keys.setdefault(own)
                for own in lexicon.mentions(content):
                    keys.setdefault(own)
                out.write(
                    json.dumps({"row": row, "entities": list(keys)}, ensure_ascii=False) + "\n"
                )
    connection.execute(
        f"""
        UPDATE facts SET entities = linked.entities
        FROM {duck.ndjson(file, _LINK_COLUMNS)} AS linked WHERE facts.row = linked.row
        """
    )

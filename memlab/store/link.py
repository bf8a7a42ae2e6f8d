"""What follows from all pages together: final ids, entities, and which facts are about which."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memlab.errors import CollisionError
from memlab.store import duck
from memlab.tokens import fold
from memlab.workspace.entities import Lexicon, key
from memlab.workspace.layout import Role

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

_ENTITY_COLUMNS = {"key": "VARCHAR", "name": "VARCHAR", "page": "VARCHAR", "aliases": "VARCHAR[]"}
_LINK_COLUMNS = {"row": "INTEGER", "entities": "VARCHAR[]"}


def derive(connection: duckdb.DuckDBPyConnection, folder: Path) -> list[int]:
    """Fill in the ids and entities of facts, which one page alone cannot tell.

    Args:
        connection: The snapshot that is being built. Facts that were carried over have those that
            they had, when ``old_entities`` was all that was known.
        folder: Where working files may be written.

    Returns:
        The rows of all facts that are new or have changed.

    Raises:
        CollisionError: If two unlike facts have one id.
    """
    return sorted({*_identify(connection), *_link(connection, _learn(connection, folder), folder)})


def load_lexicon(connection: duckdb.DuckDBPyConnection, table: str = "entities") -> Lexicon:
    """The lexicon that a snapshot was linked with."""
    rows = connection.execute(f"SELECT name, page, aliases FROM {table} ORDER BY rowid").fetchall()
    return Lexicon.of(rows)


def _identify(connection: duckdb.DuckDBPyConnection) -> list[int]:
    """Number truly identical facts in the order of path and line; refuse unlike ones."""
    connection.execute(
        """
        CREATE TEMP TABLE repeated AS SELECT row, base_id, path, start_line, content, day FROM facts
        WHERE base_id IN (SELECT base_id FROM facts GROUP BY ALL HAVING count(*) > 1)
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
        """
        UPDATE facts SET id = numbered.id FROM (
            SELECT row, base_id || if(n > 1, '-' || n, '') AS id FROM (
                SELECT row, base_id, row_number() OVER (
                    PARTITION BY base_id ORDER BY path, start_line, row) AS n FROM repeated)
            UNION ALL
            SELECT row, base_id FROM facts ANTI JOIN repeated USING (base_id)
            WHERE id IS DISTINCT FROM base_id
        ) AS numbered WHERE facts.row = numbered.row AND facts.id IS DISTINCT FROM numbered.id
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
        SELECT name FROM (SELECT unnest(heads || tags) AS name, path, start_line FROM facts)
        GROUP BY name ORDER BY min((path, start_line)), name
        """
    ).fetchall()
    for (name,) in named:
        lexicon.add(name)
    with (folder / "entities-0.ndjson").open("w", encoding="utf-8") as out:
        for own, name in lexicon.names.items():
            page, aliases = lexicon.pages.get(own), aliased.get(own, [])
            row = {"key": own, "name": name, "page": page, "aliases": aliases}
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    connection.execute(
        f"INSERT INTO entities FROM {duck.ndjson(folder, 'entities', _ENTITY_COLUMNS)}"
    )
    return lexicon


def _link(connection: duckdb.DuckDBPyConnection, lexicon: Lexicon, folder: Path) -> list[int]:
    """The entities of each new fact, and of those carried over that other names may concern."""
    differs = lexicon.spellings() ^ load_lexicon(connection, "old_entities").spellings()
    changed_keys = {key(spelling) for spelling, _ in differs}
    spelled = (
        fold(spelling).replace("-", " ").replace("_", " ").split() for spelling, _ in differs
    )
    firsts = {words[0] for words in spelled if words}  # an alias may be nothing but a dash
    cursor = connection.execute(
        f"""
        SELECT facts.row, heads, tags, links, content, pages.name, entities
        FROM facts JOIN pages USING (path) {"" if differs else "WHERE entities IS NULL"}
        ORDER BY facts.row
        """
    )
    with (folder / "links-0.ndjson").open("w", encoding="utf-8") as out:
        while batch := cursor.fetchmany(4096):
            for row, heads, tags, links, content, page_name, before in batch:
                names = [name for name in (page_name, *heads, *tags, *links) if name]
                if before is not None and not any(key(name) in changed_keys for name in names):
                    folded = fold(content)
                    if not any(word in folded for word in firsts):
                        continue
                found = {own: None for name in names if (own := lexicon.resolve(name))}
                found |= dict.fromkeys(lexicon.mentions(content))
                line = {"row": row, "entities": list(found)}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
    changed = connection.execute(
        f"""
        UPDATE facts SET entities = linked.entities
        FROM {duck.ndjson(folder, "links", _LINK_COLUMNS)} AS linked
        WHERE facts.row = linked.row AND facts.entities IS DISTINCT FROM linked.entities
        RETURNING facts.row
        """
    )
    return [row for (row,) in changed.fetchall()]

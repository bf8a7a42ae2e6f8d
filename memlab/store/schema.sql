-- One snapshot of one workspace. Nothing here is a truth of its own: it all follows from the pages.

CREATE TABLE IF NOT EXISTS meta (key VARCHAR PRIMARY KEY, value VARCHAR NOT NULL);

CREATE TABLE IF NOT EXISTS pages (
    path    VARCHAR PRIMARY KEY,
    sha256  VARCHAR NOT NULL,
    role    VARCHAR NOT NULL,
    day     DATE,
    title   VARCHAR NOT NULL,
    name    VARCHAR,             -- of an entity page: the entity's name
    aliases VARCHAR[] NOT NULL,
    talk    BOOLEAN NOT NULL     -- it reads like a conversation: speaker after speaker
);

CREATE TABLE IF NOT EXISTS facts (
    row        INTEGER NOT NULL, -- kept while the page stays as it is, so rows may have gaps
    base_id    VARCHAR NOT NULL, -- from day, entities and content
    id         VARCHAR,          -- base_id, with -2, -3 … for facts that are truly identical
    path       VARCHAR NOT NULL,
    start_line INTEGER NOT NULL,
    end_line   INTEGER NOT NULL,
    kind       VARCHAR NOT NULL,
    origin     VARCHAR NOT NULL,
    content    VARCHAR NOT NULL,
    heading    VARCHAR NOT NULL,
    day        DATE,             -- of the page
    when_start DATE,             -- of what the fact speaks of
    when_end   DATE,
    times      INTEGER[] NOT NULL, -- first and last day, since year 1, of each further time
    confidence DOUBLE,
    heads      VARCHAR[] NOT NULL, -- entities before the colon, as spelled
    tags       VARCHAR[] NOT NULL, -- entities with @ in the content, as spelled
    links      VARCHAR[] NOT NULL, -- targets of wikilinks
    entities   VARCHAR[],        -- keys of all entities that the fact is about
    supersedes VARCHAR,
    keeps      VARCHAR,
    tokens     VARCHAR NOT NULL, -- search tokens, a space between them
    context    VARCHAR NOT NULL  -- those of the headings above, the day and the table's header
);

CREATE TABLE IF NOT EXISTS entities (
    key     VARCHAR PRIMARY KEY,
    name    VARCHAR NOT NULL,
    page    VARCHAR,
    aliases VARCHAR[] NOT NULL
);

-- where each name that a head or an @ gives first stands
CREATE TABLE IF NOT EXISTS names (
    name VARCHAR NOT NULL, path VARCHAR NOT NULL, start_line INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS troubles (path VARCHAR NOT NULL, line INTEGER, message VARCHAR NOT NULL);

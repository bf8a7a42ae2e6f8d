"""The derived side: DuckDB snapshots of a workspace, built aside, switched to, opened read-only."""

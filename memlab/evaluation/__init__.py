"""The bench: data sets as workspaces, measures, experiments, significance, reports."""

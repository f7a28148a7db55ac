"""Results as pages, papers, workbooks and pictures."""

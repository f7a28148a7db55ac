"""What is found, as pages, workbooks and pictures."""

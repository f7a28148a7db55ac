"""The mathematics of pay tables: exact answers, simulations, and reports of both."""

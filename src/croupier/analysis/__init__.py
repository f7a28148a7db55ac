"""What the matrix means: odds reports, comparisons, bulk settlement, the trace of clauses. Imports only the rules."""

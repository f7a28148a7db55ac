"""What is printed: tickets, and the report of a round as a paper of its own. Imports only the rules."""

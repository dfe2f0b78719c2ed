"""The values of listed states: backward induction and what it needs."""

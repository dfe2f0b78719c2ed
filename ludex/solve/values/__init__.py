"""The values of enumerated states: backward induction and its parts."""

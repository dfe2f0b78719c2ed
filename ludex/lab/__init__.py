"""The lab: experiments with reproducible reports."""

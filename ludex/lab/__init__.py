"""The lab: experiments that end as tables, plots and a page."""

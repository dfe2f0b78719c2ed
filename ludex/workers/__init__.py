"""Work on many processes, on this machine or on a Dask cluster."""

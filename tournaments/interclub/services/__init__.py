"""Every change between clubs, in the histories of both."""

"""What is printed: asked for on a page, set by the worker, and taken away as a PDF."""

"""Link preview pictures: plain values become a PNG, drawn once. Plain Python.

The tag and the file of a picture depend on its visible content alone, so nothing hidden can leak.

>>> picture = Picture(club="Les As", title="Coupe", below="1er mai 2027", kicker="Final standings", lines=())
>>> len(picture.digest)
40
"""

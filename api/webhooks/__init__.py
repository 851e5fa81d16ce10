"""Other programs are told what becomes public: it is noticed, written, sent and noted in that order."""

"""The formatter of policies: the same tokens, with other spaces and line ends between them."""

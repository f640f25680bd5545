"""Vernis: compiler for a VCL-like policy language. The rooms are the stages of the pipeline; see docs/architecture.md."""

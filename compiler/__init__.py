"""Compiler for policies written in VCL. The rooms are the stages of the pipeline (docs/architecture.md)."""

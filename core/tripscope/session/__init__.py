"""Sessions: what a user saves, and how it is run."""

from tripscope.session.build import BuiltChain, build_chain, build_model, build_processor
from tripscope.session.file import (
    SUFFIX,
    load_session,
    save_session,
    session_from_wire,
    session_to_wire,
)
from tripscope.session.model import ProcessorSpec, RuleTest, Session, SessionRule, ToolSpec
from tripscope.session.rule_tests import RuleTestResult, run_rule_test
from tripscope.session.running import run_mode, start_run

__all__ = [
    "SUFFIX",
    "BuiltChain",
    "ProcessorSpec",
    "RuleTest",
    "RuleTestResult",
    "Session",
    "SessionRule",
    "ToolSpec",
    "build_chain",
    "build_model",
    "build_processor",
    "load_session",
    "run_mode",
    "run_rule_test",
    "save_session",
    "session_from_wire",
    "session_to_wire",
    "start_run",
]

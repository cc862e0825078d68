"""Tool-info module of wane for BenchExec: put it where benchmarks find it, as `tools/wane.py`.

A benchmark definition names it as `tool="wane"`; options are those of `wane check`, such as
`--timeout 900`. The property file and the data model come from the task.
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task


class Tool(benchexec.tools.template.BaseTool2):
    """Proves that C programs stop, and are memory safe."""

    WORDS = {
        "TRUE": result.RESULT_TRUE_PROP,
        "FALSE": result.RESULT_FALSE_REACH,
        "FALSE(termination)": result.RESULT_FALSE_TERMINATION,
        "FALSE(valid-deref)": result.RESULT_FALSE_DEREF,
        "FALSE(valid-free)": result.RESULT_FALSE_FREE,
        "FALSE(valid-memtrack)": result.RESULT_FALSE_MEMTRACK,
        "FALSE(valid-memcleanup)": result.RESULT_FALSE_MEMCLEANUP,
        "UNKNOWN": result.RESULT_UNKNOWN,
    }

    def executable(self, tool_locator):
        return tool_locator.find_executable("wane")

    def name(self):
        return "wane"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="wane ")

    def cmdline(self, executable, options, task, rlimits):
        models = {ILP32: ["--data-model", "ilp32"], LP64: ["--data-model", "lp64"]}
        model = get_data_model_from_task(task, models) or []
        if rlimits.memory:
            # What is left is for the preprocessor, and for what wane cannot count.
            model += ["--memory", str(max(1, rlimits.memory * 3 // 4 // 2**20))]
        return [executable, "check", "--svcomp", task.property_file, *model, *options,
                task.single_input_file]

    def determine_result(self, run):
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        for line in run.output:
            if line.strip() in self.WORDS:
                return self.WORDS[line.strip()]
        return result.RESULT_ERROR

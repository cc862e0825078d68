"""Checks C code with wane: an aspect over cc_library, cc_binary and cc_test.

    load("//tools/lint:wane.bzl", "wane_aspect")

    wane = wane_aspect(binary = Label("//tools/lint:wane"))

`bazel build --aspects=//tools/lint:defs.bzl%wane --output_groups=wane_human //...` writes, for each
target that has C files of its own, what `wane` says of them:

* `<name>.wane.txt` for a person (output group `wane_human`),
* `<name>.wane.sarif` for editors and code hosts (`wane_sarif`),
* `<name>.wane.exit_code`, the exit status of wane (in both): 0 all is proved, 1 something is
  refuted, 3 something is unknown, 2 a file cannot be read.

The build succeeds whatever the status is: findings are outputs, so they are cached as outputs are.
"""

load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain", "use_cc_toolchain")
load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

_KINDS = ["cc_library", "cc_binary", "cc_test"]

# Flags of `copts` that a preprocessor needs, by how they begin.
_OF_PREPROCESSOR = ["-D", "-U", "-I", "-std=", "-iquote", "-isystem", "-m32", "-m64"]

# One search, two formats: a part that is the whole of the work, and its merge into each. Where wane
# itself fails there is no part, and the action fails.
_SCRIPT = """
set -u
wane="$1" part="$2" human="$3" sarif="$4" code="$5"
shift 5
"$wane" check --shard 1/1 --output "$part" "$@" || exit
"$wane" merge --format sarif --fail-on never "$part" > "$sarif" 2> /dev/null
"$wane" merge --color never "$part" > "$human" 2>&1
status=$?
test "$status" -le 3 || exit "$status"
echo "$status" > "$code"
"""

def _contexts(target, rule):
    """The compilation contexts of a target and of all that it depends on."""
    deps = [it for it in getattr(rule.attr, "deps", []) if CcInfo in it]
    own = [target] if CcInfo in target else []
    return [it[CcInfo].compilation_context for it in own + deps]

def _flags(rule, contexts):
    """What the preprocessor is told of a target's files."""
    own = [
        it
        for it in getattr(rule.attr, "copts", [])
        if [begin for begin in _OF_PREPROCESSOR if it.startswith(begin)]
    ]
    local = ["-D" + it for it in getattr(rule.attr, "local_defines", [])]
    defines = ["-D" + it for it in depset(transitive = [it.defines for it in contexts]).to_list()]

    # As Bazel compiles: headers are named from the root of a workspace on.
    folders = ["-iquote", "."]
    for name, flag in [
        ("quote_includes", "-iquote"),
        ("includes", "-I"),
        ("system_includes", "-isystem"),
    ]:
        for folder in depset(transitive = [getattr(it, name) for it in contexts]).to_list():
            folders.extend([flag, folder])
    return own + local + defines + folders

def _impl(target, ctx):
    rule = ctx.rule
    if rule.kind not in _KINDS or "no-wane" in rule.attr.tags:
        return []
    sources = [it for it in rule.files.srcs if it.extension in ("c", "i") and it.is_source]
    if not sources:
        return []
    contexts = _contexts(target, rule)
    toolchain = find_cc_toolchain(ctx)
    features = cc_common.configure_features(ctx = ctx, cc_toolchain = toolchain)
    compiler = cc_common.get_tool_for_action(
        feature_configuration = features,
        action_name = "c-compile",
    )
    name = target.label.name + ".wane."
    part = ctx.actions.declare_file(name + "json")
    human = ctx.actions.declare_file(name + "txt")
    sarif = ctx.actions.declare_file(name + "sarif")
    code = ctx.actions.declare_file(name + "exit_code")
    arguments = ctx.actions.args()
    arguments.add_all([ctx.executable._wane, part, human, sarif, code])

    # Steps of work, and no clock: the same files have the same answers on each machine. One job,
    # since Bazel counts an action as one processor.
    arguments.add_all(["--steps", str(ctx.attr._steps), "--timeout", "86400", "--jobs", "1"])
    for config in ctx.files._config:
        arguments.add("--config", config)
    arguments.add_all(sources)
    arguments.add("--")
    arguments.add_all(_flags(rule, contexts))
    headers = [it.headers for it in contexts]
    own = [it for it in rule.files.srcs if it not in sources]
    ctx.actions.run_shell(
        outputs = [part, human, sarif, code],
        inputs = depset(sources + own + ctx.files._config, transitive = headers + [toolchain.all_files]),
        tools = [ctx.executable._wane],
        command = _SCRIPT,
        arguments = [arguments],
        env = {"CC": compiler, "PATH": "/usr/bin:/bin", "NO_COLOR": "1"},
        mnemonic = "Wane",
        progress_message = "wane: %{label}",
    )
    return [OutputGroupInfo(
        wane_human = depset([human, code]),
        wane_sarif = depset([sarif, code]),
    )]

def wane_aspect(binary, config = None, steps = 20000000):
    """An aspect that checks C files.

    Args:
        binary: the label of the program wane.
        config: the label of a wane.toml, if there is one.
        steps: steps of work for each question.

    Returns:
        The aspect.
    """
    return aspect(
        implementation = _impl,
        attr_aspects = [],
        attrs = {
            "_wane": attr.label(
                default = binary,
                executable = True,
                cfg = "exec",
                allow_files = True,
            ),
            "_config": attr.label_list(default = [config] if config else [], allow_files = True),
            "_steps": attr.int(default = steps),
        },
        fragments = ["cpp"],
        toolchains = use_cc_toolchain(),
    )

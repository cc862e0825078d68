#!/bin/bash
# Many machines under SLURM: an array of jobs that share the work, and a job that puts it together.
#
#     N_PARTS=64 REPORTS=/shared/reports bash slurm.sh -p termination src
#
# Run it where `src` has the same path on all machines. What stands behind `slurm.sh` is handed to
# `wane check`; with `--cache DIR` in a shared folder the next run is shorter, and a job that was
# lost starts where it stopped. The report is $REPORTS/report.json; the last job ends as `wane`
# would: 0, 1, 2 or 3.
set -euo pipefail

N_PARTS=${N_PARTS:-16}          # jobs of the array
REPORTS=${REPORTS:-wane-report} # where reports go: a folder that all machines see
CPUS=${CPUS:-4}                 # processors for each job
MEMORY_MIB=${MEMORY_MIB:-8192}  # memory for each job
TIME=${TIME:-04:00:00}          # time for each job
export N_PARTS REPORTS CPUS MEMORY_MIB TIME

part() {
    # What is left of the memory is for the preprocessor, and for what wane cannot count.
    exec wane check --shard "$SLURM_ARRAY_TASK_ID/$N_PARTS" --jobs "$CPUS" \
        --memory $((MEMORY_MIB * 3 / 4)) --output "$REPORTS/part-$SLURM_ARRAY_TASK_ID.json" "$@"
}

merge() {
    local number parts=()
    for ((number = 1; number <= N_PARTS; number++)); do
        parts+=("$REPORTS/part-$number.json")
    done
    wane merge --format json --fail-on never --output "$REPORTS/report.json" "${parts[@]}"
    exec wane merge --quiet "${parts[@]}"
}

start() {
    local array
    mkdir -p "$REPORTS"
    array=$(sbatch --parsable --job-name=wane --array="1-$N_PARTS" --cpus-per-task="$CPUS" \
        --mem="${MEMORY_MIB}M" --time="$TIME" --output="$REPORTS/part-%a.log" "$0" part "$@")
    sbatch --parsable --job-name=wane-merge --dependency="afterok:${array%%;*}" \
        --mem="${MEMORY_MIB}M" --time="$TIME" --output="$REPORTS/merge.log" "$0" merge
}

case "${1:-}" in
part) shift && part "$@" ;;
merge) merge ;;
"") echo "usage: bash slurm.sh [OPTIONS] FILE..." >&2 && exit 2 ;;
*) start "$@" ;;
esac

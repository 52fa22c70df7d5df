#!/bin/sh
# A run in four parts on a Slurm cluster: sbatch examples/cluster/slurm.sh experiment.yaml
# When all are done: touchstone merge runs/part-* --out runs/whole && touchstone report runs/whole
#SBATCH --job-name=touchstone
#SBATCH --array=0-3
#SBATCH --cpus-per-task=2
set -eu
parts=4
folder="runs/part-$SLURM_ARRAY_TASK_ID"
# A part that was preempted goes on where it was.
if [ -e "$folder/run.json" ]; then
  exec touchstone resume "$folder"
fi
exec touchstone run "$1" --shard "$SLURM_ARRAY_TASK_ID/$parts" --out "$folder"

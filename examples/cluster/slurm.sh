#!/bin/sh
# A run in four parts on a Slurm cluster: sbatch examples/cluster/slurm.sh experiment.yaml
# Parts that failed or ran out of time go on where they were: sbatch --array=1,3 examples/cluster/slurm.sh experiment.yaml
# When all are done: touchstone cluster merge runs/part-* --out runs/whole && touchstone report runs/whole
#SBATCH --job-name=touchstone
#SBATCH --output=touchstone-%A_%a.log
#SBATCH --array=0-3
#SBATCH --cpus-per-task=2
#SBATCH --time=12:00:00
# A part that is preempted is started again. Two minutes before its time is over it saves what is under way.
#SBATCH --requeue
#SBATCH --signal=B:TERM@120
set -eu
experiment=${1:?usage: sbatch examples/cluster/slurm.sh experiment.yaml}
# As many as the whole array has, also where only some of its parts are started again.
parts=4
folder="runs/part-$SLURM_ARRAY_TASK_ID"
if [ -e "$folder/run.json" ]; then
  exec touchstone resume "$folder"
fi
exec touchstone run "$experiment" --shard "$SLURM_ARRAY_TASK_ID/$parts" --out "$folder"

"""Runs the jobs of a file under Ray Data: `with_ray.py WORKER JOBS > RESULTS`, in the folder that the jobs mean."""

import logging
import os
import signal
import subprocess
import sys

import ray

worker, jobs = sys.argv[1:]
folder = os.getcwd()


def run(batch):
    """What one worker makes of some jobs."""
    done = subprocess.run(
        [worker], input="".join(f"{job}\n" for job in batch["item"]), stdout=subprocess.PIPE, text=True, cwd=folder
    )
    if done.returncode < 0:
        # Gone as its machine would be: Ray gives the jobs to another one.
        os.kill(os.getpid(), signal.SIGKILL)
    done.check_returncode()
    return {"item": done.stdout.splitlines()}


ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
ray.data.DataContext.get_current().enable_progress_bars = False
with open(jobs) as lines:
    rows = ray.data.from_items(lines.read().splitlines(), override_num_blocks=8)
for row in rows.map_batches(run, batch_size=None).take_all():
    print(row["item"])
ray.shutdown()

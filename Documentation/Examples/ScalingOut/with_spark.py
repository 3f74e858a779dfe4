"""Runs the jobs of a file under Apache Spark: `with_spark.py WORKER JOBS > RESULTS`, in the folder that the jobs mean."""

import os
import sys

from pyspark.sql import SparkSession

worker, jobs = sys.argv[1:]
# Two workers on this machine; a task that fails is tried four times, as on a cluster.
spark = SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false").getOrCreate()
spark.sparkContext.setLogLevel("OFF")
with open(jobs) as lines:
    rows = spark.sparkContext.parallelize(lines.read().splitlines(), 8)
for result in rows.pipe(worker, env=dict(os.environ), checkCode=True).collect():
    print(result)
spark.stop()

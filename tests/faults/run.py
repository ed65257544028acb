from tests.faults.faulty_disk import run_on_faulty_disk
import sys
sys.exit(run_on_faulty_disk(sys.argv[1], sys.argv[2:]).returncode)

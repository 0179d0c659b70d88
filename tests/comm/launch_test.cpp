// How a process learns from its environment that it is one of several.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "comm/world.hpp"

namespace umov::comm {
namespace {

std::map<std::string, std::string> variables;

Launch with(const std::map<std::string, std::string>& there) {
  variables = there;
  return launch_of([](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

void expect(const Launch& l, int rank, int size, const std::string& by, const std::string& mpi) {
  EXPECT_EQ(l.rank, rank);
  EXPECT_EQ(l.size, size);
  EXPECT_EQ(l.by, by);
  EXPECT_EQ(l.mpi, mpi);
}

TEST(Launch, OfEachKindIsRecognised) {
  expect(with({}), 0, 1, "", "");
  expect(with({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}}), 2, 4, "mpirun", "openmpi");
  expect(with({{"PMI_RANK", "1"}, {"PMI_SIZE", "3"}}), 1, 3, "mpirun", "mpich");
  expect(with({{"SLURM_PROCID", "5"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"PMIX_RANK", "5"}}), 5, 8, "srun", "");
  expect(with({{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "2"}, {"PMI_RANK", "0"}, {"PMI_SIZE", "2"}}),
         0, 2, "srun", "mpich");
  expect(with({{"SLURM_PROCID", "1"}, {"SLURM_STEP_NUM_TASKS", "2"}}), 1, 2, "srun", "none");
  // mpirun within a Slurm allocation.
  expect(with({{"OMPI_COMM_WORLD_RANK", "0"},
               {"OMPI_COMM_WORLD_SIZE", "4"},
               {"SLURM_PROCID", "0"},
               {"SLURM_STEP_NUM_TASKS", "1"}}),
         0, 4, "mpirun", "openmpi");
  // A batch script that starts umov itself is one process.
  expect(with({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}), 0, 1, "", "");
}

TEST(Launch, NonsenseIsNoLaunch) {
  expect(with({{"OMPI_COMM_WORLD_RANK", "x"}, {"OMPI_COMM_WORLD_SIZE", "-1"}}), 0, 1, "", "");
  expect(with({{"PMI_RANK", "3"}, {"PMI_SIZE", "3"}}), 0, 1, "", "");
}

}  // namespace
}  // namespace umov::comm

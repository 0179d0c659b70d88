// What a written file does to what lay at its place: nodes, pipes, links, modes, planted names.
#include "core/file_place.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "support/temp_folder.hpp"

namespace fs = std::filesystem;

namespace umov {
namespace {

std::string content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

mode_t mode(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? found.st_mode & 0777 : 0;
}

/// As a writer that opens files by name does.
void write_by_name(const std::string& path, const std::string& text) {
  AsideFile file(path);
  std::ofstream(file.aside()) << text;
  file.commit();
}

class BothWays : public ::testing::TestWithParam<void (*)(const std::string&, const std::string&)> {
 protected:
  void put(const std::string& path, const std::string& text) const { GetParam()(path, text); }
  std::size_t files() const {
    return std::size_t(std::distance(fs::directory_iterator(folder_.path), fs::directory_iterator()));
  }
  test::TempFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Writers, BothWays,
                         ::testing::Values(
                             +[](const std::string& p, const std::string& t) { write_file(p, t); },
                             &write_by_name));

TEST_P(BothWays, ANodeStaysANode) {
  const std::string node = folder_ / "n";
  if (::mknod(node.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) GTEST_SKIP() << "nodes need root";
  put(node, "text");
  EXPECT_TRUE(fs::is_character_file(node));
  EXPECT_EQ(files(), 1u);
}

TEST_P(BothWays, AFifoPassesTheBytesOn) {
  const std::string fifo = folder_ / "f";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content(fifo); });
  put(fifo, "text");
  reader.join();
  EXPECT_EQ(read, "text");
  EXPECT_TRUE(fs::is_fifo(fifo));
}

TEST_P(BothWays, ALinkStaysAndItsTargetKeepsItsMode) {
  fs::create_directory(folder_ / "there");
  write_file(folder_ / "there/a", "before");
  ASSERT_EQ(::chmod((folder_ / "there/a").c_str(), 0640), 0);
  fs::create_symlink("there/b", folder_ / "c");
  fs::create_symlink("a", folder_ / "there/b");
  put(folder_ / "c", "after");
  EXPECT_TRUE(fs::is_symlink(folder_ / "c"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "there/b"));
  EXPECT_EQ(content(folder_ / "there/a"), "after");
  EXPECT_EQ(mode(folder_ / "there/a"), 0640u);
}

TEST_P(BothWays, ADanglingLinkGetsItsTarget) {
  fs::create_symlink("later", folder_ / "c");
  put(folder_ / "c", "text");
  EXPECT_TRUE(fs::is_symlink(folder_ / "c"));
  EXPECT_EQ(content(folder_ / "later"), "text");
}

TEST_P(BothWays, OwnerAndGroupStayWhereRootWrites) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  write_file(folder_ / "a", "before");
  ASSERT_EQ(::chown((folder_ / "a").c_str(), 1234, 4321), 0);
  put(folder_ / "a", "after");
  struct stat found {};
  ASSERT_EQ(::stat((folder_ / "a").c_str(), &found), 0);
  EXPECT_EQ(found.st_uid, 1234u);
  EXPECT_EQ(found.st_gid, 4321u);
}

TEST_P(BothWays, LoopsFoldersAndLongNamesAreBadInput) {
  fs::create_symlink("loop", folder_ / "loop");
  for (const std::string& path : {folder_ / "loop", folder_.path.string(), folder_ / std::string(300, 'a')})
    EXPECT_THROW(put(path, "text"), BadInput) << path;
  EXPECT_EQ(files(), 1u);
}

TEST_P(BothWays, TheLongestNameCanBeWritten) {
  const std::string path = folder_ / std::string(255, 'a');
  put(path, "text");
  EXPECT_EQ(content(path), "text");
  EXPECT_EQ(files(), 1u);
}

TEST(AsideName, IsAnotherEveryTimeAndItsFileNew) {
  const test::TempFolder folder;
  const AsideFile a(folder / "x"), b(folder / "x");
  EXPECT_NE(a.aside(), b.aside());
  EXPECT_TRUE(fs::is_regular_file(a.aside()));
  EXPECT_EQ(fs::path(a.aside()).parent_path(), folder.path);
}

TEST(AsideName, OfItsOwnIsNeverOpenedThroughALink) {
  const test::TempFolder folder;
  write_file(folder / "victim", "mine");
  fs::create_symlink("victim", folder / "x.part");
  AsideFile aside(folder / "x", folder / "x.part");
  EXPECT_FALSE(aside.is_there());
  aside.create();
  EXPECT_TRUE(aside.is_there());
  std::ofstream(aside.aside()) << "new";
  aside.commit();
  EXPECT_EQ(content(folder / "victim"), "mine");
  EXPECT_EQ(content(folder / "x"), "new");
}

}  // namespace
}  // namespace umov

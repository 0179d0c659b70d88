// The library as another program has it: installed, found by CMake, linked, run.
#include <gtest/gtest.h>

#include "support/places.hpp"
#include "support/shell.hpp"

namespace umov::test {
namespace {

TEST(InstalledLibrary, AProgramOfOthersFindsItAndComputesWithIt) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "a program without sanitizers cannot load a library that has them";
#endif
  const TemporaryFolder folder;
  const std::string build = fs::path(program_path()).parent_path().parent_path().string();
  const std::string example = (repository() / "examples" / "library").string();
  const auto done = [&](const std::string& line) {
    const Ended end = shell(folder, line);
    EXPECT_EQ(end.code, 0) << line << "\n" << end.out << end.err;
    return end;
  };
  done("cmake --install '" + build + "' --prefix \"$PWD/there\"");
  for (const char* file :
       {"bin/umov", "lib/libumov.so", "include/umov/umov.hpp", "lib/cmake/umov/umovConfig.cmake"})
    EXPECT_TRUE(fs::exists(folder / "there" / file)) << file;
  done("cmake -S '" + example + "' -B made -DCMAKE_PREFIX_PATH=\"$PWD/there\" && cmake --build made");
  const Ended end = done("made/example");
  EXPECT_NE(end.out.find("sphere: Qext = "), end.out.npos) << end.out;
  // modes 3 to 5 of the ring, exactly 0.1182, 0.1474 and 0.1758 (examples/ring_resonator); 10 cells per unit
  // are off by 1e-3 at the last of them
  for (const char* mode : {"frequency 0.118", "frequency 0.147", "frequency 0.175"})
    EXPECT_NE(end.out.find(mode), end.out.npos) << end.out;
  EXPECT_EQ(done("there/bin/umov mie --x 1 >/dev/null && there/bin/umov --version").code, 0);
}

TEST(InstalledLibrary, HasNoWebServerAndDrawsNoPictures) {
  const TemporaryFolder folder;
  const std::string library = (fs::path(program_path()).parent_path() / "libumov.so").string();
  const Ended end =
      shell(folder, "objdump -p '" + library + "' | grep NEEDED; nm -CD --defined-only '" + library +
                        "' | grep -c -e 'boost::beast' -e 'umov::view' -e 'umov::command::' || true");
  EXPECT_EQ(end.out.find("cairo"), end.out.npos) << end.out;
  EXPECT_NE(end.out.find("NEEDED"), end.out.npos) << end.out << end.err;
  EXPECT_EQ(end.out.substr(end.out.rfind('\n', end.out.size() - 2) + 1), "0\n") << end.out;
}

}  // namespace
}  // namespace umov::test

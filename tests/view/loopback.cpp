// A machine without a loopback interface serves nothing: these tests are skipped there, aloud.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

namespace umov::view {
namespace {

bool loopback_works() {
  const int server = ::socket(AF_INET, SOCK_STREAM, 0), client = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* const address = reinterpret_cast<sockaddr*>(&at);
  socklen_t size = sizeof at;
  const bool works = server >= 0 && client >= 0 && ::bind(server, address, size) == 0 &&
                     ::listen(server, 1) == 0 && ::getsockname(server, address, &size) == 0 &&
                     ::connect(client, address, size) == 0;
  for (const int s : {server, client})
    if (s >= 0) ::close(s);
  return works;
}

class Loopback : public testing::Environment {
  void SetUp() override {
    if (!loopback_works()) GTEST_SKIP() << "no loopback interface here";
  }
};

[[maybe_unused]] const auto* const registered = testing::AddGlobalTestEnvironment(new Loopback);

}  // namespace
}  // namespace umov::view

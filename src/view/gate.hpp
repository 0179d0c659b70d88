// Who may come in: token, host, origin, address of a request. Pure functions.
#pragma once

#include <string>
#include <string_view>

namespace umov::view {

/// 32 hexadecimal digits from the system's generator. Throws MachineFailure.
std::string random_token();

/// The token in UMOV_VIEW_TOKEN, so that a page finds a program that was started anew; a random one without
/// it. Throws BadInput for one of fewer than 16 or other characters than letters, digits, - and _.
std::string chosen_token();

/// Compares in a time that does not tell where they differ.
bool same_secret(std::string_view a, std::string_view b);

/// What of a request decides.
struct Knock {
  std::string_view method, target, host, origin;  ///< as sent; empty: absent
};

enum class Room { page, socket, picture };

/// The answer to a request: a room, or an HTTP status that refuses it.
struct Answer {
  int status = 200;
  Room room = Room::page;
  const char* why = "";
};

/// `address`: of the interface served; with "0.0.0.0" and "::" any host is taken, since each name of the
/// machine may be right.
Answer answer(const Knock&, std::string_view token, std::string_view address);

}  // namespace umov::view

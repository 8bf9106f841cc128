import ForsettiCore

/// Where a web console is, and what lets a person in.
struct ConsoleAccess: Equatable {
  var address: ListenAddress
  /// 32 hexadecimal digits.
  var token = RandomToken.make()

  /// What a browser opens: the token is in the fragment, which no browser sends to anybody and no server logs.
  var url: String {
    switch address {
    case .loopback(let port): "http://127.0.0.1:\(port)/#\(token)"
    // A browser gets there through whoever forwards to the socket, such as ssh -L.
    case .unix: "http://localhost/#\(token)"
    }
  }
}

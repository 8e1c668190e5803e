// What Glibc lacks of Darwin. Manual pages of macOS: fcntl(2), stat(2), setsockopt(2), socket(2),
// pthread_key_create(3), pthread_create(3).

@_exported import Glibc

package let F_FULLFSYNC: Int32 = 51
package let SO_NOSIGPIPE: Int32 = 0x1022
package let SOCK_STREAM: Int32 = 1

extension stat {
    package var st_mtimespec: timespec { st_mtim }
    package var st_ctimespec: timespec { st_ctim }
}

package func pthread_key_create(
    _ key: UnsafeMutablePointer<pthread_key_t>,
    _ end: @convention(c) (UnsafeMutableRawPointer) -> Void
) -> Int32 { 0 }

package func pthread_create(
    _ thread: UnsafeMutablePointer<pthread_t?>,
    _ attributes: UnsafePointer<pthread_attr_t>?,
    _ body: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?,
    _ argument: UnsafeMutableRawPointer?
) -> Int32 { 0 }

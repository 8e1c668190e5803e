// What FoundationNetworking lacks.

import Foundation

// developer.apple.com/documentation/foundation/stream/getboundstreams(withbuffersize:inputstream:outputstream:)
extension Stream {
    class func getBoundStreams(
        withBufferSize bufferSize: Int,
        inputStream: AutoreleasingUnsafeMutablePointer<InputStream?>?,
        outputStream: AutoreleasingUnsafeMutablePointer<OutputStream?>?
    ) {}
}

typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer
typealias CFWriteStream = OutputStream

// developer.apple.com/documentation/corefoundation/cfwritestreamsetdispatchqueue(_:_:)
func CFWriteStreamSetDispatchQueue(_ stream: CFWriteStream, _ queue: DispatchQueue?) {}

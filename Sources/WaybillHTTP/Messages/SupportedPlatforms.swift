#if os(Windows) || os(WASI)
    #error("Waybill supports Apple's platforms, Linux and Android; on this platform, use only WaybillJSON.")
#endif

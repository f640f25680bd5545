LIBS += -lmicrohttpd
